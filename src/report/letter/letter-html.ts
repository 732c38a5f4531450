import { escapeHtml } from "../markup.ts";
import { hasStrengths, type LetterView, type NotesView, type QuotationView } from "./letter-view.ts";

export function letterHtml(letter: LetterView): string {
  const { headings } = letter;
  const items = letter.items.map(
    ({ title, finding, advice, passages, better, contrast, basis }) => `<li>
<h3>${escapeHtml(title)}</h3>
<p>${escapeHtml(finding)}${basis.length > 0 ? ` <small>(${escapeHtml(basis.join(", "))})</small>` : ""}</p>
${passages.map(quotationHtml).join("")}
${better ? `<div class="better"><h4>${escapeHtml(contrast)}</h4>${quotationHtml(better)}</div>` : ""}
<p class="advice">${escapeHtml(advice)}</p>
</li>`,
  );
  return `<section class="letter" lang="${letter.language}">
<p class="short"><strong>${escapeHtml(headings.short!)}.</strong> ${letter.opening.map(escapeHtml).join(" ")}</p>
<p>${letter.verdicts.map(escapeHtml).join(" ")}</p>
${items.length === 0 ? "" : `<h2>${escapeHtml(headings.items!)}</h2>\n<ol>${items.join("\n")}</ol>`}
${
  hasStrengths(letter)
    ? `<h2>${escapeHtml(headings.works!)}</h2>
<p>${letter.works.map(escapeHtml).join(" ")}</p>
<div class="better">${letter.strongPassages.map(quotationHtml).join("")}</div>`
    : ""
}
<p>${escapeHtml(letter.notJudged).replace(/`([^`]*)`/g, "<code>$1</code>")}</p>
${letter.reference === null ? "" : `<p><small>${escapeHtml(letter.reference)}</small></p>`}
</section>`;
}

export function notesHtml({ heading, intro, groups, leastHeading, least }: NotesView): string {
  return `<section class="notes">
<h2>${escapeHtml(heading)}</h2>
<p>${escapeHtml(intro)}</p>
${groups.map(({ why, notes }) => `<h3>${escapeHtml(why)}</h3>\n${notes.map(quotationHtml).join("\n")}`).join("\n")}
<div class="better"><h3>${escapeHtml(leastHeading)}</h3>
${least.map(quotationHtml).join("\n")}</div>
</section>`;
}

export function quotationHtml({ before, marked, after, where, note }: QuotationView): string {
  const isMarked = before.replace("…", "") !== "" || after.replace("…", "") !== "";
  const middle = isMarked ? `<mark>${escapeHtml(marked)}</mark>` : escapeHtml(marked);
  const place = note === null ? where : `${where} · ${note}`;
  return `<blockquote><p>${escapeHtml(before)}${middle}${escapeHtml(after)}</p><footer>${escapeHtml(place)}</footer></blockquote>`;
}
