import type { JudgeStanding } from "../../api/votes.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { type Disagreements, findDisagreements } from "../../workflows/trust/votes/disagreements.ts";
import { type Heard, heard, withNames } from "../../workflows/trust/votes/heard.ts";
import { judgeStandings } from "../../workflows/trust/votes/judge-standings.ts";
import type { EvaluationFiles } from "../library/evaluation-files.ts";

const AT_A_TIME = 8;

interface Index extends Disagreements {
  /** Newest first. */
  readonly heard: readonly Heard[];
  readonly standings: readonly JudgeStanding[];
}

/** Who said what of which book: every evaluation is read once, and only its scores and the places of its quotations are held. */
export class DisagreementIndex {
  readonly #shelf: EvaluationFiles;
  readonly #heard = new Map<string, Heard>();
  #known: { readonly ids: string; readonly index: Promise<Index> } | null = null;

  constructor(shelf: EvaluationFiles) {
    this.#shelf = shelf;
  }

  current(): Promise<Index> {
    const ids = this.#shelf.list().map(({ id }) => id);
    const key = ids.join();
    if (this.#known?.ids !== key) this.#known = { ids: key, index: this.#build(ids) };
    return this.#known.index;
  }

  async #build(ids: readonly string[]): Promise<Index> {
    const wanted = new Set(ids);
    for (const id of this.#heard.keys()) if (!wanted.has(id)) this.#heard.delete(id);
    // A few at a time: thousands of evaluations at once would fill the memory and keep everybody else waiting.
    const found = await mapBounded(ids, AT_A_TIME, (id) => this.#hear(id));
    const all = withNames(found.filter((one) => one !== null));
    const disagreements = findDisagreements(all.flatMap(({ seats }) => seats));
    return { ...disagreements, heard: all, standings: judgeStandings(disagreements.aspects) };
  }

  /** An evaluation that was just deleted, or cannot be read, has nothing to say. */
  async #hear(id: string): Promise<Heard | null> {
    const known = this.#heard.get(id);
    if (known) return known;
    try {
      const { bookId } = this.#shelf.summary(id);
      const one = heard(await this.#shelf.evaluation(id), { evaluationId: id, bookId });
      this.#heard.set(id, one);
      return one;
    } catch {
      return null;
    }
  }
}
