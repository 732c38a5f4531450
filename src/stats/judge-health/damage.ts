import { wilsonInterval } from "../distribution.ts";
import { type Finding, unknownFinding } from "./judgement.ts";

/** How a judge took one damaged (or harmlessly changed) version of a book: see `fabula stress`. */
export interface DamageReaction {
  readonly judge: string;
  readonly damage: string;
  readonly harmless: boolean;
  readonly reaction: "right" | "blind" | "wrong";
}

/** Fewer noticed than this part of the damaged versions: the score says little about a book. */
const FEW = 0.5;
const SHOWN = 3;

/** Does the score fall when a book is damaged, and stay when a change is harmless? */
export function checkDamage(reactions: readonly DamageReaction[]): Finding {
  if (reactions.length === 0) {
    return unknownFinding("damage", "no stress test of this judge was given: `fabula stress BOOKS --judge J --json`");
  }
  const damaged = reactions.filter(({ harmless }) => !harmless);
  const right = damaged.filter(({ reaction }) => reaction === "right").length;
  const wrong = [...new Set(reactions.filter(({ reaction }) => reaction === "wrong").map(({ damage }) => damage))];
  const wrongly = reactions.filter(({ reaction }) => reaction === "wrong").length;
  const share = damaged.length === 0 ? 0 : right / damaged.length;
  const more = wrong.length > SHOWN ? ` and ${wrong.length - SHOWN} more` : "";
  return {
    check: "damage",
    state: wrongly > 0 ? "problem" : share < FEW ? "watch" : "sound",
    n: reactions.length,
    figure:
      damaged.length === 0
        ? null
        : { name: "share noticed", value: share, interval: wilsonInterval(right, damaged.length, 0.95) },
    message:
      wrongly > 0
        ? `moved the wrong way ${wrongly} times: ${wrong.slice(0, SHOWN).join(", ")}${more}`
        : `noticed ${right} of ${damaged.length} damaged versions, and moved none the wrong way`,
  };
}
