import { fetchAnswer } from "./client.ts";

const READ_BY_THEN_MILLISECONDS = 60_000;

/**
 * Has the browser save what the server sends, under the name that the server gives it. A plain link with `download` would
 * show a cancelled download, and no reason, where the server refuses.
 */
export async function saveFile(path: string): Promise<void> {
  const response = await fetchAnswer(path);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = nameIn(response.headers.get("content-disposition"));
  link.click();
  // The browser reads the file after the click; how soon, it does not say.
  setTimeout(() => URL.revokeObjectURL(url), READ_BY_THEN_MILLISECONDS);
}

function nameIn(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? "")?.[1];
  return encoded ? decodeURIComponent(encoded) : "";
}
