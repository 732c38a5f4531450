import { to } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { useTexts } from "../../texts/preferences.tsx";

export const TABS = ["letter", "map", "notes", "verdicts", "trust", "readers", "about"] as const;
export type Tab = (typeof TABS)[number];

const NAMES = {
  letter: "tabLetter",
  map: "tabMap",
  notes: "tabNotes",
  verdicts: "tabVerdicts",
  trust: "tabTrust",
  readers: "tabReaders",
  about: "tabAbout",
} as const satisfies Readonly<Record<Tab, keyof Texts>>;

/** The parts of a report as addresses: each can be linked to, and going back returns to it. */
export function ReportTabs({
  id,
  tabs,
  current,
}: {
  readonly id: string;
  readonly tabs: readonly Tab[];
  readonly current: Tab;
}) {
  const texts = useTexts();
  return (
    <nav className="tabs" aria-label={texts.reportParts}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab}>
            <a href={to(["evaluations", id], { tab })} aria-current={tab === current ? "page" : undefined}>
              {texts[NAMES[tab]]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
