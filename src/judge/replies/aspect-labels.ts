import type { Criterion, Rubric } from "../../criteria/rubric.ts";

/** What a label in a reply refers to. */
export type LabelMeaning =
  | {
      readonly kind: "aspect";
      readonly criterion: Criterion;
      readonly scoreWord: boolean;
      /** It is exactly one of the names, not a form that can only mean it. */
      readonly exact: boolean;
    }
  | { readonly kind: "overall"; readonly scoreWord: boolean }
  | { readonly kind: "score" }
  /** A part that every aspect may have: "Strengths:", "Review:". */
  | { readonly kind: "field" }
  | { readonly kind: "unknown" };

export type LabelReader = (label: string) => LabelMeaning;

const words = (list: string) => new Set(list.trim().split(/\s+/));
const SCORE_WORDS = words("score scores rating ratings grade mark points rate 评分 得分 分数 打分 分值 评级 分");
const OVERALL_WORDS = words(
  "overall final total conclusion whole general concluding average mean 总体 整体 综合 总评 总分",
);
/** Words that say what kind of statement follows, but not about what. */
const EMPTY_WORDS = words(`
  assessment evaluation verdict impression impressions thoughts opinion judgement judgment review summary critique remarks
  average aspect specific and of the for a my book story novel this updated revised new current`);
/** The parts of an aspect's critique. */
const FIELD_WORDS = words(`
  strengths strength weaknesses weakness pros cons positives negatives praise criticism guidelines guideline criteria
  definition description justification reasoning rationale explanation analysis comment comments feedback notes note reason
  reasons evidence quotes examples suggestions improvements improvement areas points observations details highlights issues
  concerns strong weak potential key main critical detailed
  评价 评语 点评 优点 缺点 不足 优势 劣势 理由 分析 建议 说明 长处 短处 亮点`);
/** Alone, these name the closing part; the other `EMPTY_WORDS` alone name a part of any section ("Review:"). */
const CLOSING_WORDS = words("assessment verdict");
const HAN_OVERALL =
  /^(?:(?:总体|整体|综合|最终|全书|总|平均)(?:评价|评估|评语|点评|印象|结论|总结|意见)?|结论|总结|总评)(?<score>得分|评分|分数|打分|分值|分)?$/;

/**
 * Says what a label means under a rubric. Names, ids, abbreviations and aliases count, in upper or lower case, with
 * `&` or `and`; a shorter or longer form counts if it can mean only one top-level aspect.
 */
export function labelReader(rubric: Rubric): LabelReader {
  const ready = readers.get(rubric) ?? buildReader(rubric);
  readers.set(rubric, ready);
  return ready;
}

const readers = new WeakMap<Rubric, LabelReader>();

function buildReader(rubric: Rubric): LabelReader {
  const exact = exactForms(rubric.criteria.filter(({ parent }) => parent === undefined));
  const parts = exactForms(rubric.criteria.filter(({ parent }) => parent !== undefined));
  const top = rubric.criteria.filter(({ parent }) => parent === undefined);
  const forms = top.map((criterion) => ({
    criterion,
    sets: [criterion.name, ...(criterion.aliases ?? [])].map((form) => new Set(tokens(form))),
  }));
  const known = new Map<string, LabelMeaning>();
  return (label) => {
    const found = known.get(label);
    if (found) return found;
    const meaning = byAbbreviation(label, top) ?? interpret(label, exact, parts, forms);
    if (known.size < 10_000) known.set(label, meaning);
    return meaning;
  };
}

/** Criteria by every exact form of their names; a form that two of them share means nothing. */
function exactForms(criteria: readonly Criterion[]): Map<string, Criterion | null> {
  const forms = new Map<string, Criterion | null>();
  for (const criterion of criteria) {
    // A part's id may look like its aspect's name ("plot-structure"), so only its written names count.
    const id = criterion.parent === undefined ? criterion.id : "";
    for (const form of [criterion.name, id, criterion.abbreviation ?? "", ...(criterion.aliases ?? [])]) {
      const key = tokens(form).join(" ");
      if (key === "") continue;
      const holder = forms.get(key);
      forms.set(key, holder === undefined || holder === criterion ? criterion : null);
    }
  }
  return forms;
}

function interpret(
  label: string,
  exact: ReadonlyMap<string, Criterion | null>,
  parts: ReadonlyMap<string, Criterion | null>,
  forms: readonly { criterion: Criterion; sets: readonly ReadonlySet<string>[] }[],
): LabelMeaning {
  // Words after a note count too: "The plot (in chapter 3) is thin" is not the name of an aspect.
  const withoutNote = label.replace(/\s*[([][^)\]]*(?:[)\]]|$)/g, " ").trim();
  const han = HAN_OVERALL.exec(withoutNote.replace(/\s/g, ""));
  if (han) return { kind: "overall", scoreWord: han.groups?.score !== undefined };
  const words = tokens(withoutNote);
  if (words.length === 0 || words.length > 9) return { kind: "unknown" };
  const scoreWord = words.some((word) => SCORE_WORDS.has(word));
  for (const candidate of [words, words.filter((word) => !SCORE_WORDS.has(word))]) {
    const whole = candidate.join(" ");
    const direct = exact.get(whole) ?? exact.get(candidate.filter((word) => word !== "overall").join(" "));
    const criterion = direct ?? parts.get(whole);
    if (criterion) return { kind: "aspect", criterion, scoreWord, exact: true };
  }
  const content = words.filter((word) => !SCORE_WORDS.has(word) && !OVERALL_WORDS.has(word) && !EMPTY_WORDS.has(word));
  if (content.length === 0) {
    if (words.some((word) => OVERALL_WORDS.has(word))) return { kind: "overall", scoreWord };
    if (scoreWord) return { kind: "score" };
    if (words.length === 1 && CLOSING_WORDS.has(words[0]!)) return { kind: "overall", scoreWord: false };
    return { kind: "field" };
  }
  if (content.every((word) => FIELD_WORDS.has(word))) return { kind: "field" };
  const matches = forms.filter(({ sets }) =>
    sets.some(
      (set) =>
        content.every((word) => set.has(word)) ||
        (content.length <= set.size + 1 && set.size > 0 && [...set].every((word) => content.includes(word))),
    ),
  );
  const only = matches.length === 1 ? matches[0]!.criterion : null;
  return only ? { kind: "aspect", criterion: only, scoreWord, exact: false } : { kind: "unknown" };
}

/** `THE` in capitals is the abbreviation of themes; "the" is an ordinary word. */
function byAbbreviation(label: string, top: readonly Criterion[]): LabelMeaning | null {
  const criterion = top.find(({ abbreviation }) => abbreviation === label.trim());
  return criterion ? { kind: "aspect", criterion, scoreWord: false, exact: true } : null;
}

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/fulfillment/g, "fulfilment"],
  [/worldbuilding/g, "world building"],
  [/characterization/g, "characterisation"],
  [/&/g, " and "],
  [/\//g, " and "],
];
const JOINING = new Set(["and", "the", "of"]);

function tokens(label: string): string[] {
  let text = label.normalize("NFKC").toLowerCase();
  for (const [pattern, replacement] of SPELLINGS) text = text.replace(pattern, replacement);
  return (text.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => (/^\p{Script=Han}{3,}$/u.test(word) ? word.replace(/(?<=.)[与和及的](?=.)/g, "") : word))
    .filter((word) => !JOINING.has(word));
}
