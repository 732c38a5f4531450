import { readFile } from "node:fs/promises";
import { FabulaError } from "../core/errors.ts";
import type { ServerSettings } from "../server/settings.ts";

/** The token by the way it was given; one that was written on the command line shows in the list of processes. */
export async function accessToken(
  flags: { readonly token?: string | undefined; readonly "token-file"?: string | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const file = flags["token-file"];
  if (flags.token !== undefined && file !== undefined) {
    throw new FabulaError("E_USAGE", "--token and --token-file cannot be used together: give one of them.");
  }
  if (file !== undefined) return (await readSecret(file, "--token-file")).trim();
  return flags.token ?? (environment.FABULA_TOKEN || undefined);
}

export async function tlsFiles(flags: {
  readonly "tls-cert"?: string | undefined;
  readonly "tls-key"?: string | undefined;
}): Promise<Pick<ServerSettings, "tls">> {
  const { "tls-cert": certificate, "tls-key": key } = flags;
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined) {
    throw new FabulaError("E_USAGE", "--tls-cert and --tls-key belong together: give both.");
  }
  return {
    tls: { certificate: await readSecret(certificate, "--tls-cert"), key: await readSecret(key, "--tls-key") },
  };
}

async function readSecret(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new FabulaError("E_FILE_MISSING", `${flag} ${file} cannot be read: check the path and who may read it.`, {
      cause,
    });
  }
}
