import { useState } from "react";
import type { Reachable, ServerFacts } from "../../../src/api/settings.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ActionButton } from "../../parts/action.tsx";
import { Coded } from "../../parts/coded.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Field } from "../../parts/field.tsx";
import { day } from "../../parts/formats.ts";
import { Table } from "../../parts/table.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { count } from "../../texts/language.ts";
import { LanguageOptions, ThemeOptions } from "../../texts/preference-options.tsx";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { KeyForm } from "../evaluate/judge-choices.tsx";

/** Judges and keys, where things are kept, what they cost, and what can be reached. */
export default function SettingsView() {
  const texts = useTexts();
  const asked = useAnswer(api.settings);
  return (
    <View title={texts.settings}>
      <p>
        <Coded text={texts.settingsIntroduction} />
      </p>
      <Appearance />
      <Waiting asked={asked}>
        {(facts) => (
          <>
            <KeyTable keys={facts.keys} onChange={asked.reload} />
            <ReachableTable />
            <Places facts={facts} />
            <h2>{texts.limitsHeading}</h2>
            <p>{texts.limitsNote}</p>
            <Prices prices={facts.prices} />
          </>
        )}
      </Waiting>
    </View>
  );
}

function Places({ facts }: { readonly facts: ServerFacts }) {
  const texts = useTexts();
  const { library, store, profiles, benches, version } = facts;
  return (
    <section>
      <h2>{texts.placesHeading}</h2>
      <Facts
        facts={[
          [texts.libraryPlace, library],
          [texts.storePlace, store],
          [texts.profilesPlace, profiles],
          [texts.benchesPlace, benches.length === 0 ? texts.none : benches.join(", ")],
          [texts.versionLabel, version],
        ]}
      />
    </section>
  );
}

function Prices({ prices: { date, file, models } }: { readonly prices: ServerFacts["prices"] }) {
  const { texts, language } = usePreferences();
  return (
    <section>
      <h2>{texts.pricesHeading}</h2>
      <p>
        {texts.pricesNote(day(date, language), models.length)}
        <code>--prices FILE.yaml</code>. {file ? texts.pricesFile(file) : null}
      </p>
      <details>
        <summary>{texts.showAsTable}</summary>
        <Table
          label={texts.pricesHeading}
          rows={models}
          columns={[
            [texts.model, ({ name }) => name],
            [texts.priceIn, ({ input }) => `$${input}`, "number"],
            [texts.priceOut, ({ output }) => `$${output}`, "number"],
            [texts.contextTokens, ({ context }) => (context === null ? texts.unknown : count(context)), "number"],
          ]}
        />
      </details>
    </section>
  );
}

/** The same choices as at the top of the page, with their names. */
function Appearance() {
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

/** What can be reached now, and how quickly. Checked when asked for: it goes out to the providers. */
function ReachableTable() {
  const { texts, language } = usePreferences();
  const [found, setFound] = useState<readonly Reachable[] | null>(null);
  const states = { ready: texts.reachReady, absent: texts.reachAbsent, broken: texts.reachBroken };
  return (
    <section>
      <h2>{texts.reachableHeading}</h2>
      <p>
        <Coded text={texts.reachableNote} />
      </p>
      <ActionButton act={async () => setFound(await ask(api.settings.check.$post))} busy={texts.checking}>
        {texts.checkNow}
      </ActionButton>
      {found ? (
        <Table
          label={texts.reachableHeading}
          rows={found}
          columns={[
            [texts.provider, ({ name }) => name],
            [texts.status, ({ state }) => states[state], ({ state }) => (state === "broken" ? "doubt" : "")],
            [
              texts.latency,
              ({ milliseconds }) => (milliseconds === null ? "–" : texts.milliseconds(milliseconds)),
              "number",
            ],
            [texts.detail, ({ detail }) => <span lang={language === "en" ? undefined : "en"}>{detail}</span>],
          ]}
        />
      ) : null}
    </section>
  );
}

/** Which providers have a key, and from where; a key itself is never shown. */
function KeyTable({ keys, onChange }: { readonly keys: ServerFacts["keys"]; readonly onChange: () => void }) {
  const texts = useTexts();
  const forget = async (variable: string) => {
    await ask(api.keys[":variable"].$delete, { param: { variable } });
    onChange();
  };
  const origins = { environment: texts.keyEnvironment, session: texts.keySession };
  return (
    <section>
      <h2>{texts.keysHeading}</h2>
      <p>{texts.keysNote}</p>
      <Table
        label={texts.keysHeading}
        rows={keys}
        keyOf={({ provider }) => provider}
        columns={[
          [texts.provider, ({ provider }) => provider],
          [texts.status, ({ origin }) => (origin === null ? texts.keyMissing : origins[origin]), "moment"],
          [
            texts.detail,
            ({ variable, origin }) => {
              if (origin === null) return <KeyForm variable={variable} onKey={onChange} />;
              if (origin === "environment") return <code>{variable}</code>;
              return (
                <ActionButton className="quiet" act={() => forget(variable)}>
                  {texts.forgetKey}
                </ActionButton>
              );
            },
          ],
        ]}
      />
    </section>
  );
}
