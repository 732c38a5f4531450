import { spawn } from "node:child_process";

/** Opens an address in the system's browser. Without one, the printed address is enough. */
export function openInBrowser(url: string): void {
  const [command, ...words] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  const child = spawn(command!, words, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
