/**
 * What printers and sites set around a heading, or alone between two scenes; for use inside a regular expression's class. ○ is
 * left out: Chinese numbers have it for zero.
 */
export const ORNAMENTS = "❦❧☙✦✧❖❉❈❋✿❀✾✶✴✻✽✲☆★◆◇■□●▲△▼▽※◎◉⁂⁕⁑†‡♦♢♣♧♠♤♥♡•·∙◦";
