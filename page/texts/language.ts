/** The languages of the web app. */
export type Language = "en" | "zh";

/** The browser, where there is one: reports are drawn without. */
const browser = globalThis as {
  readonly navigator?: { readonly languages?: readonly string[] };
  readonly document?: { readonly documentElement: { readonly lang: string } };
};

/** The reader's own variety of the language: English dates are written in more than one way. */
export function ownVariety(language: Language): string {
  const spoken = browser.navigator?.languages ?? [];
  return spoken.find((name) => name.toLowerCase().startsWith(language)) ?? (language === "zh" ? "zh-CN" : "en-GB");
}

/** A whole number as it is written where the reader lives: "120,000", "1,20,000". */
export function count(value: number): string {
  const isChinese = browser.document?.documentElement.lang.startsWith("zh") ?? false;
  return value.toLocaleString(ownVariety(isChinese ? "zh" : "en"));
}
