import { join } from "node:path";
import { makeFolder } from "../../core/files/make-folder.ts";
import { TRUST_FOLDER } from "../../workflows/trust/panel/trust-files.ts";
import { VOTES_FILE } from "../../workflows/trust/votes/read-votes.ts";
import type { Services } from "../services.ts";
import { DisagreementIndex } from "./disagreement-index.ts";
import { VoteShelf } from "./vote-shelf.ts";

/** What judges said and what people think of it: shared by disagreements, votes and trust. */
export interface EvidenceBench {
  readonly index: DisagreementIndex;
  readonly votes: VoteShelf;
}

/** Whoever opens the web app as soon as it is served is answered first. */
const QUIET_MILLISECONDS = 8000;

export async function evidenceBench({ evaluations, settings }: Services): Promise<EvidenceBench> {
  // The commands that the trust panel shows write into it.
  await makeFolder(join(settings.library, TRUST_FOLDER), { mode: 0o700 });
  const index = new DisagreementIndex(evaluations);
  // Reading thousands of evaluations takes seconds: better before somebody asks where judges differ than while they wait.
  setTimeout(() => void index.current().catch(() => {}), QUIET_MILLISECONDS).unref();
  return { index, votes: new VoteShelf(join(settings.library, VOTES_FILE)) };
}
