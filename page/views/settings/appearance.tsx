import { Field } from "../../parts/field.tsx";
import { LanguageOptions, ThemeOptions } from "../../texts/preference-options.tsx";
import { usePreferences } from "../../texts/preferences.tsx";

/** The same choices as at the top of the page, with their names. */
export function Appearance() {
  const { texts, language, theme, chooseLanguage, chooseTheme } = usePreferences();
  return (
    <section>
      <h2>{texts.appearance}</h2>
      <div className="toolbar">
        <Field label={texts.language}>
          {(attributes) => (
            <select
              {...attributes}
              value={language}
              onChange={(event) => chooseLanguage(event.target.value as typeof language)}
            >
              <LanguageOptions />
            </select>
          )}
        </Field>
        <Field label={texts.theme}>
          {(attributes) => (
            <select {...attributes} value={theme} onChange={(event) => chooseTheme(event.target.value as typeof theme)}>
              <ThemeOptions />
            </select>
          )}
        </Field>
      </div>
    </section>
  );
}
