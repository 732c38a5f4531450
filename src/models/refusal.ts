/**
 * Does a model decline in words, instead of by the stop reason that a provider gives? "I'm sorry, but I can't help with that."
 * is no chapter and no answer. Only short texts are refusals: whoever apologises and then writes a chapter has written one.
 * A text that opens with a quotation mark is dialogue from a story.
 *
 * @example
 * ```ts
 * isRefusal("抱歉，我无法协助完成这个请求。"); // true
 * isRefusal("“I can't help you,” she said, and shut the door."); // false
 * ```
 */
export function isRefusal(text: string): boolean {
  const plain = text.replace(/[’ʼ]/g, "'").replace(LAYOUT, "");
  const words = plain.match(WORD)?.length ?? 0;
  if (words === 0 || words > LONGEST || OPENS_WITH_SPEECH.test(plain)) return false;
  const opening = plain.slice(0, OPENING_CHARACTERS);
  return REFUSALS.some((pattern) => pattern.test(opening)) || (words <= BRIEF && BRIEF_REFUSAL.test(opening));
}

/** A refusal explains itself and offers something else, but does not go on for pages. Han characters count as words. */
const LONGEST = 300;
/** In a line or two, declining is enough; a longer text must say what is declined. */
const BRIEF = 40;
/** Models thank for the request first, then decline. */
const OPENING_CHARACTERS = 400;

const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}'])+/gu;
const LAYOUT = /^[\s#*_>|`-]+/;
const OPENS_WITH_SPEECH = /^["“”„«»‘「『]/;

const anyOf = (...parts: readonly string[]) => `(?:${parts.join("|")})`;

const SORRY = anyOf("I(?:'m| am)(?: \\w+)? sorry", "(?:my )?apologies", "I apologi[sz]e", "sorry", "unfortunately");
const I_DECLINE = `\\bI(?:'m| am|'d| would|'ll)?(?: (?:simply|just|really|still|must|have to|will|do|rather|prefer|respectfully|politely))* ${anyOf(
  ...["can't", "cannot", "can not", "won't", "don't", "not", "shouldn't", "decline", "refuse", "unable"],
)}(?: (?:to|be|feel|with|able|allowed|permitted|comfortable|willing|going|directly))*`;
/** What a model is asked to do. "I can't help thinking" is a story. */
const TASK = anyOf(
  ...["help(?! (?:but|it|myself|\\w+ing)\\b)", "assist", "do (?:that|this|so)", "writ(?:e|ing)", "creat(?:e|ing)"],
  ...["generat(?:e|ing)", "continu(?:e|ing)", "provid(?:e|ing)", "produc(?:e|ing)", "fulfill?(?:ing)?", "comply"],
  ...[
    "engag(?:e|ing)",
    "complet(?:e|ing)",
    "proceed",
    "expand",
    "respond",
    "answer",
    "discuss",
    "process",
    "depict",
    "evaluat(?:e|ing)",
    "judg(?:e|ing)",
    "assess(?:ing)?",
    "review(?:ing)?",
    "critiqu(?:e|ing)",
    "grad(?:e|ing)",
    "rat(?:e|ing)",
    "scor(?:e|ing)",
  ],
);
/** What a judge is asked for, in a sentence without a subject: "No evaluation can be provided." */
const JUDGEMENT = anyOf("evaluations?", "reviews?", "assessments?", "ratings?", "scores?", "critiques?", "responses?");
const WORK = anyOf(
  ...["requests?", "content", "chapters?", "story", "stories", "scenes?", "materials?", "prompts?", "narratives?"],
  ...["fiction", "topics?", "tasks?", "synopsis", "themes?", "passages?", "instructions?"],
);

const SORRY_IN_CHINESE = anyOf("抱歉", "对不起", "對不起", "不好意思", "遗憾", "遺憾");
const DECLINE_IN_CHINESE = anyOf(
  ...["[无無]法", "不能", "不便", "不可以", "[没沒][办辦]法", "[难難]以", "不[会會]", "拒[绝絕]"],
);
const TASK_IN_CHINESE = anyOf(
  ...[
    "[协協]助",
    "[帮幫]",
    "提供",
    "[写寫]",
    "[创創]作",
    "生成",
    "完成",
    "[继繼][续續]",
    "回答",
    "回[应應]",
    "[满滿]足",
  ],
  ...["[处處]理", "[参參][与與]", "[执執]行", "[讨討][论論]", "[响響][应應]", "配合"],
);
const WORK_IN_CHINESE = anyOf(
  ...["[请請]求", "要求", "[内內]容", "章[节節]", "一章", "故事", "情[节節]", "梗概", "[话話][题題]", "[问問][题題]"],
  ...["任[务務]", "作品", "小[说說]"],
);

const REFUSALS: readonly RegExp[] = [
  `^${SORRY}\\b[^.!?\\n]{0,80}?${I_DECLINE} ${TASK}`,
  `${I_DECLINE} ${TASK}\\b[^.!?\\n]{0,80}?\\b${anyOf(`${WORK}\\b`, "with (?:that|this|it)\\b", "(?:that|this)(?=\\s*[.,;!—-]|\\s*$)")}`,
  `\\bas an? ${anyOf("AI", "artificial intelligence", "(?:large )?language model")}\\b[^\\n]*?${I_DECLINE}`,
  `\\b(?:this|the|your) ${WORK}\\b[^.!?\\n]{0,80}\\b${anyOf("violates?", "(?:goes|is) against (?:my|our|the)", "not (?:allowed|permitted)", "(?:cannot|can't) be \\w+ed", "(?:was|has been|is) (?:rejected|blocked|flagged|declined)")}`,
  `^[^\\n。]{0,12}?${SORRY_IN_CHINESE}[^\\n]{0,60}?${DECLINE_IN_CHINESE}[^\\n。]{0,12}?${TASK_IN_CHINESE}`,
  `我[^\\n。！？]{0,20}${DECLINE_IN_CHINESE}[^\\n。！？]{0,12}?${TASK_IN_CHINESE}[^\\n。！？]{0,40}${WORK_IN_CHINESE}`,
  `作[为為][^\\n。]{0,12}${anyOf("AI", "人工智[能慧]", "[语語]言模型", "助手")}[^\\n]{0,80}${DECLINE_IN_CHINESE}`,
  `${WORK_IN_CHINESE}[^\\n。]{0,30}${anyOf("[违違]反", "[违違][规規]", "不符合", "不合[规規]", "涉及敏感")}`,
  `\\bno ${JUDGEMENT} (?:can|will|could) be (?:provided|given|offered|made)\\b`,
  `\\b(?:this|that|the|your) ${WORK}\\b[^.!?\\n]{0,60}\\bI (?:have to|must|will) (?:refuse|decline)\\b`,
  "我[们們][换換][个個][话話][题題]",
].map((source) => new RegExp(source, "iu"));

const BRIEF_REFUSAL = new RegExp(
  anyOf(
    `^(?:${SORRY}\\b[^.!?\\n]{0,40}?)?${I_DECLINE} ${TASK}`,
    `^${SORRY_IN_CHINESE}[^\\n]{0,40}${DECLINE_IN_CHINESE}`,
    `^我[们們]?${DECLINE_IN_CHINESE}[^\\n。]{0,6}?${TASK_IN_CHINESE}`,
  ),
  "iu",
);
