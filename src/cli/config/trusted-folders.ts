import { readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files/write-whole-file.ts";
import { configPaths, settingsFolder } from "./config-path.ts";

const listSchema = z.object({ folders: z.array(z.string()) });

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the user has said that the settings file in this folder counts in full. */
export async function isTrusted(folder: string, environment: Environment): Promise<boolean> {
  return (await trustedFolders(environment)).includes(await realpath(folder));
}

/** Trusts the folder of the settings file that is in force in a folder, or no longer; returns the path of the file. */
export async function setTrust(folder: string, isTrustedNow: boolean, environment: Environment): Promise<string> {
  const { folder: path, ofOthers } = configPaths(folder, environment);
  if (path === null) {
    throw new FabulaError(
      "E_CONFIG",
      ofOthers[0] === undefined
        ? `There is no fabula.config.yaml in ${resolve(folder)} or its project: check the folder.`
        : `${ofOthers[0]} belongs to another user, so it cannot be trusted: make a copy that is yours.`,
    );
  }
  const home = await realpath(dirname(path));
  const others = (await trustedFolders(environment)).filter((other) => other !== home);
  const folders = isTrustedNow ? [...others, home] : others;
  await writeWholeFile(listPath(environment), `${JSON.stringify({ folders }, null, 2)}\n`);
  return path;
}

async function trustedFolders(environment: Environment): Promise<readonly string[]> {
  const path = listPath(environment);
  const source = await readFile(path, "utf8").catch(() => null);
  if (source === null) return [];
  try {
    return listSchema.parse(JSON.parse(source)).folders;
  } catch (cause) {
    throw new FabulaError("E_CONFIG", `${path} cannot be read: delete it, and trust your folders again.`, { cause });
  }
}

function listPath(environment: Environment): string {
  return join(settingsFolder(process.platform, environment), "trusted-folders.json");
}
