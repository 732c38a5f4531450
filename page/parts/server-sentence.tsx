import { usePreferences } from "../texts/preferences.tsx";
import { Coded } from "./coded.tsx";

/**
 * What the server says, in the reader's language where its code is known. A translation is general; names and figures stand
 * in the server's own words, which stay within reach.
 */
export function ServerSentence({ code, message }: { readonly code: string | null; readonly message: string }) {
  const { language, texts, spoken } = usePreferences();
  const translated = spoken.sentence(code);
  if (translated === null)
    return (
      <p lang={language === "en" ? undefined : "en"}>
        <Coded text={message} />
      </p>
    );
  return (
    <>
      <p>
        <Coded text={translated} />
      </p>
      <details>
        <summary>{texts.originalWords}</summary>
        <p lang="en">
          <Coded text={message} />
        </p>
      </details>
    </>
  );
}
