import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files.ts";
import { profileKey, type ReaderProfile, readerProfileSchema } from "./reader-profile.ts";

/** Profiles are files of the user's own, one JSON document each, in one folder: nothing leaves the machine. */
export class ProfileFiles {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async list(): Promise<ReaderProfile[]> {
    const files = await readdir(this.folder).catch(() => []);
    const names = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
    return Promise.all(names.sort().map((name) => this.load(name)));
  }

  async load(name: string): Promise<ReaderProfile> {
    const path = this.pathOf(name);
    let source: string;
    try {
      source = await readFile(path, "utf8");
    } catch (cause) {
      throw new FabulaError(
        "E_PROFILE_MISSING",
        `There is no reader profile "${name}": \`fabula reader profile list\` lists those that exist.`,
        { cause },
      );
    }
    return parseProfile(source, path);
  }

  /** The profile filed under this name, if there is one. */
  async find(name: string): Promise<ReaderProfile | null> {
    const files: readonly string[] = await readdir(this.folder).catch(() => []);
    return files.includes(`${profileKey(name)}.json`) ? this.load(name) : null;
  }

  /** The file appears whole or not at all. */
  async save(profile: ReaderProfile): Promise<void> {
    await makeFolder(this.folder, { mode: 0o700 });
    const path = this.pathOf(profile.name);
    const unfinished = `${path}.${process.pid}.unfinished`;
    await writeFile(unfinished, `${JSON.stringify(profile, null, 1)}\n`, { mode: 0o600 });
    await rename(unfinished, path);
  }

  async delete(name: string): Promise<void> {
    await this.load(name);
    await rm(this.pathOf(name));
  }

  private pathOf(name: string): string {
    return join(this.folder, `${profileKey(name)}.json`);
  }
}

export function parseProfile(source: string, path: string): ReaderProfile {
  let document: unknown;
  try {
    document = JSON.parse(source);
  } catch (cause) {
    throw new FabulaError(
      "E_PROFILE_INVALID",
      `"${path}" is not JSON: export the profile again or import its reviews.`,
      {
        cause,
      },
    );
  }
  const result = readerProfileSchema.safeParse(document);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new FabulaError(
    "E_PROFILE_INVALID",
    `"${path}" is not a reader profile: ${issue.path.join(".") || "it"} ${issue.message}.`,
    { evidence: document },
  );
}
