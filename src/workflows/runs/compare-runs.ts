import type { ComparedCall, RunComparison, RunComparisonRow } from "../../api/runs.ts";
import { sha256 } from "../../core/hash.ts";
import type { RunCall } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";

const PAGE = 200;
/** More calls of one run than this are not compared: they would not be read either. */
const MOST_CALLS = 20_000;
const MOST_ROWS = 200;
const LONGEST_REPLY = 4000;

/** A call with an answer, of which only what is compared and shown is held. */
interface Answered {
  /** The prompt and the sample number: the same whichever model was asked. */
  readonly prompt: string;
  readonly purpose: string;
  readonly replyHash: string;
  readonly shown: ComparedCall;
}

/** Two runs call by call: the same prompt under the same sample number. */
export async function compareRuns(
  store: Store,
  left: string,
  right: string,
): Promise<Omit<RunComparison, "left" | "right">> {
  const others = new Map<string, Answered>();
  for await (const call of answered(store, right)) others.set(call.prompt, call);
  const rows: RunComparisonRow[] = [];
  const known = new Set<string>();
  let [both, sameReply] = [0, 0];
  for await (const { prompt, purpose, replyHash, shown } of answered(store, left)) {
    if (known.has(prompt)) continue;
    known.add(prompt);
    const other = others.get(prompt);
    if (!other) continue;
    both += 1;
    const isSame = replyHash === other.replyHash;
    if (isSame) sameReply += 1;
    rows.push({ id: prompt, purpose, isSame, left: shown, right: other.shown });
    if (rows.length > 2 * MOST_ROWS) keepFirst(rows);
  }
  keepFirst(rows);
  const [onlyLeft, onlyRight] = [known.size - both, others.size - both];
  const isCut = Math.max(others.size, known.size) >= MOST_CALLS;
  return { both, sameReply, onlyLeft, onlyRight, limit: isCut ? MOST_CALLS : null, rows };
}

/** Those with other replies first, in the order of the calls. */
function keepFirst(rows: RunComparisonRow[]): void {
  rows.sort((left, right) => Number(left.isSame) - Number(right.isSame) || left.left.position - right.left.position);
  rows.splice(MOST_ROWS);
}

async function* answered(store: Store, run: string): AsyncGenerator<Answered> {
  let count = 0;
  for (let after: number | null = null; count < MOST_CALLS; ) {
    const page: readonly RunCall[] = await store.runCalls(run, { limit: PAGE, after });
    const last = page.at(-1);
    if (!last) return;
    for (const { position, model, purpose, cost, answer } of page) {
      if (!answer) continue;
      const { text, latencyMilliseconds, requestHash, sample } = answer;
      const shown = { position, model, cost, latencyMilliseconds, reply: text.slice(0, LONGEST_REPLY) };
      yield { prompt: `${requestHash} ${sample}`, purpose, replyHash: sha256(text), shown };
    }
    count += page.length;
    after = last.position;
  }
}
