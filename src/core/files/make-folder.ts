import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it. Node's own `recursive` loops forever, beyond the reach of any signal, where a folder
 * exists but takes nothing new, such as `/proc`.
 */
export async function makeFolder(path: string, options: { readonly mode?: number } = {}): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await exists(folder)); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) {
    await mkdir(folder, options).catch(async (error: NodeJS.ErrnoException) => {
      // Another process may have made it in the meantime.
      if (error.code !== "EEXIST" || !(await stat(folder)).isDirectory()) throw error;
    });
  }
}

/** Whether something is there. What is not a folder fails later, with the reason. */
function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return dirname(path) === path;
      throw error;
    },
  );
}
