import { useTexts } from "../../texts/preferences.tsx";

/** Stands where something is not known: it is never guessed. */
export function NotStored() {
  const texts = useTexts();
  return <span className="unscored">{texts.cellNotStored}</span>;
}
