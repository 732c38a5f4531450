import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

/** A server on a busy machine takes its time; one that is gone is noticed at once, because its port is closed. */
const PATIENCE_MILLISECONDS = 15_000;
const noteSchema = z.object({ url: z.string() });
/** What a server of ours answers, with or without the token. */
const ownAnswer = z.union([z.object({ version: z.string() }), z.object({ code: z.literal("E_TOKEN") })]);

/**
 * Two servers on one library would each treat the other's running jobs as abandoned. A server writes its address into the
 * library; the next one checks whether that address still answers, because the file survives a crash.
 */
export async function refuseSecondServer(library: string): Promise<void> {
  const note = await readJsonFile(noteIn(library), noteSchema).catch(() => null);
  if (!note || !(await isAnswering(note.url))) return;
  throw new FabulaError(
    "E_LIBRARY_BUSY",
    `Another server already uses this library, at ${note.url}: open that address, or pass another folder with --library.`,
  );
}

export async function writeServerAddress(library: string, url: string): Promise<void> {
  await writeJsonFile(noteIn(library), { url } satisfies z.infer<typeof noteSchema>);
}

export async function removeServerAddress(library: string): Promise<void> {
  await rm(noteIn(library), { force: true });
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/about", url), { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
    return ownAnswer.safeParse(await response.json()).success;
  } catch (error) {
    return isUnknownCertificate(error);
  }
}

/** Whose certificate is not known to this process answers all the same. */
function isUnknownCertificate(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && "code" in cause && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(String(cause.code));
}

function noteIn(library: string): string {
  return join(library, "server.json");
}
