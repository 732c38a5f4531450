import { useTexts } from "./preferences.tsx";

/** Each language in its own words, whatever the page speaks. */
export function LanguageOptions() {
  return (
    <>
      <option value="en" lang="en">
        English
      </option>
      <option value="zh" lang="zh">
        中文
      </option>
    </>
  );
}

export function ThemeOptions() {
  const texts = useTexts();
  return (
    <>
      <option value="auto">{texts.themeAuto}</option>
      <option value="light">{texts.themeLight}</option>
      <option value="dark">{texts.themeDark}</option>
    </>
  );
}
