import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { Texts } from "./english.ts";
import type { Language } from "./language.ts";
import { ENGLISH, type Spoken } from "./spoken.ts";

/** Where somebody works: at a book, or on judges and methods. */
export type Home = "desk" | "lab";
export type Theme = "auto" | "light" | "dark";

interface Preferences {
  readonly texts: Texts;
  readonly spoken: Spoken;
  readonly language: Language;
  readonly theme: Theme;
  readonly home: Home;
  readonly chooseLanguage: (language: Language) => void;
  readonly chooseTheme: (theme: Theme) => void;
  readonly chooseHome: (home: Home) => void;
}

let chinese: Spoken | null = null;

/** Fetches what is said in a language, before it is shown. */
async function loadLanguage(language: Language): Promise<void> {
  if (language === "zh") chinese ??= (await import("./spoken-chinese.ts")).CHINESE;
}

const LANGUAGES = ["en", "zh"] as const satisfies readonly Language[];

function firstLanguage(): Language {
  const kept = read("fabula-language");
  const own = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  return LANGUAGES.find((language) => language === kept) ?? own;
}

/** To be waited for before anything is drawn. */
export function loadFirstLanguage(): Promise<void> {
  return loadLanguage(firstLanguage());
}

const PreferencesContext = createContext<Preferences | null>(null);

/** Language, colours and home, kept for the next visit; at first they follow the browser. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [language, keepLanguage] = useKept<Language>("fabula-language", LANGUAGES, firstLanguage());
  const chooseLanguage = useMemo(
    () => (next: Language) => void loadLanguage(next).then(() => keepLanguage(next)),
    [keepLanguage],
  );
  const [theme, chooseTheme] = useKept<Theme>("fabula-theme", ["auto", "light", "dark"], "auto");
  const [home, chooseHome] = useKept<Home>("fabula-home", ["desk", "lab"], "desk");
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  }, [language]);
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const spoken = (language === "zh" ? chinese : null) ?? ENGLISH;
  const preferences = useMemo(
    () => ({
      texts: spoken.texts,
      spoken,
      language,
      theme,
      home,
      chooseLanguage,
      chooseTheme,
      chooseHome,
    }),
    [spoken, language, theme, home, chooseLanguage, chooseTheme, chooseHome],
  );
  return <PreferencesContext value={preferences}>{children}</PreferencesContext>;
}

/** Where nobody can choose, as in the file of a report. */
export function FixedPreferences({ spoken, children }: { readonly spoken: Spoken; readonly children: ReactNode }) {
  const choose = () => {};
  return (
    <PreferencesContext
      value={{
        ...{ texts: spoken.texts, spoken, language: "en", theme: "auto", home: "lab" },
        ...{ chooseLanguage: choose, chooseTheme: choose, chooseHome: choose },
      }}
    >
      {children}
    </PreferencesContext>
  );
}

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (!preferences) throw new Error("usePreferences is called outside of PreferencesProvider");
  return preferences;
}

export function useTexts(): Texts {
  return usePreferences().texts;
}

/** Says why there is no score. */
export function useReason(): (reason: string) => string {
  return usePreferences().spoken.reason;
}

/** Names of aspects, figures and reasons in the reader's language. */
export function useNames(): Spoken["names"] {
  return usePreferences().spoken.names;
}

function useKept<Value extends string>(
  key: string,
  values: readonly Value[],
  initial: Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => {
    const kept = read(key);
    return values.find((candidate) => candidate === kept) ?? initial;
  });
  const choose = useMemo(
    () => (next: Value) => {
      setValue(next);
      write(key, next);
    },
    [key],
  );
  return [value, choose];
}

// A browser may refuse storage altogether; the web app then works without remembering.
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Forgotten at the end of the visit.
  }
}
