import { z } from "zod";
import { FabulaError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { type DraftRecord, draftRecordSchema } from "../../../judge/drafts/draft-record.ts";
import type { Depth, MethodName } from "../../../judge/methods/method.ts";
import type { Run } from "../../../runner/open-run.ts";
import type { Book } from "../../../text/book.ts";
import { withStore } from "../../runs/past-runs.ts";

const listSchema = z.object({ count: z.number().int(), onlyTitle: z.string().nullable() });
type DraftList = z.infer<typeof listSchema>;

/** A run's calls alone are not enough, since they do not say which chapter they were about. */
const LIST = "drafts";
const draftName = (title: string) => `draft ${sha256(title)}`;

/** Stores each judged draft with its run as soon as it is judged: hashes, notes and replies, never the text. */
export class DraftArchive {
  readonly #run: Pick<Run, "keep">;
  #count = 0;

  constructor(run: Pick<Run, "keep">) {
    this.#run = run;
  }

  async keep(draft: DraftRecord): Promise<void> {
    await this.keepUnlisted(draft);
    await this.list(draft.title);
  }

  /** Used by a worker, which does not know how many drafts the run has; the process that combines the results does. */
  keepUnlisted(draft: DraftRecord): Promise<void> {
    return this.#run.keep(draftName(draft.title), draft);
  }

  async list(title: string): Promise<void> {
    this.#count += 1;
    const list: DraftList = { count: this.#count, onlyTitle: this.#count === 1 ? title : null };
    await this.#run.keep(LIST, list);
  }
}

/** How many of the latest runs are searched for a draft that was judged before. */
const LATEST_RUNS = 500;

/**
 * The latest run in which this judge judged this very file, in the given way if one is given; null when there is
 * none.
 */
export function findDraftOf(
  location: string,
  { title, source }: Pick<Book, "title" | "source">,
  { judge, method, depth }: { readonly judge: string; readonly method?: MethodName; readonly depth?: Depth },
): Promise<string | null> {
  return withStore(location, async (store) => {
    for (const { id } of await store.listRuns({}, { limit: LATEST_RUNS, after: null })) {
      const kept = await store.findMetadata(id, draftName(title));
      const draft = kept && draftRecordSchema.safeParse(JSON.parse(kept.body)).data;
      if (!draft || draft.sha256 !== source.sha256 || draft.judge !== judge) continue;
      if (draft.method !== (method ?? "close")) continue;
      if (depth === undefined || draft.close?.depth === depth) return id;
    }
    return null;
  });
}

/** The draft that a run judged. If there are several, the one with this title. */
export function findDraft(location: string, run: string, title: string): Promise<DraftRecord> {
  return withStore(location, async (store) => {
    const list = await store.findMetadata(run, LIST);
    if (!list) {
      throw new FabulaError(
        "E_DRAFT_MISSING",
        `There is no judged draft of run "${run}": only \`evaluate\` of a book with a language model leaves one, and there is no file of that name. See \`fabula runs list\`.`,
      );
    }
    const { count, onlyTitle } = listSchema.parse(JSON.parse(list.body));
    const named = await store.findMetadata(run, draftName(title));
    const draft = named ?? (onlyTitle === null ? null : await store.findMetadata(run, draftName(onlyTitle)));
    if (draft) return draftRecordSchema.parse(JSON.parse(draft.body));
    throw new FabulaError("E_DRAFT_MISSING", `Run "${run}" judged ${count} books, none of them called "${title}".`);
  });
}
