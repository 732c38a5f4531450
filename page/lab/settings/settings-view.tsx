import { useCallback, useState } from "react";
import type { Reachable, ServerFacts } from "../../../src/api/settings.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Coded } from "../../parts/coded.tsx";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Field } from "../../parts/field.tsx";
import { day } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
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
        <TableScroller label={texts.pricesHeading}>
          <table>
            <ColumnNames names={[texts.model, texts.priceIn, texts.priceOut, texts.contextTokens]} />
            <tbody>
              {models.map(({ name, input, output, context }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td className="number">{`$${input}`}</td>
                  <td className="number">{`$${output}`}</td>
                  <td className="number">{context === null ? texts.unknown : count(context)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
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
  const check = useAction(useCallback(async () => setFound(await ask(api.settings.check.$post)), []));
  const states = { ready: texts.reachReady, absent: texts.reachAbsent, broken: texts.reachBroken };
  return (
    <section>
      <h2>{texts.reachableHeading}</h2>
      <p>
        <Coded text={texts.reachableNote} />
      </p>
      <button type="button" disabled={check.isBusy} onClick={() => void check.run()}>
        {check.isBusy ? texts.checking : texts.checkNow}
      </button>
      {check.problem ? <ProblemNotice problem={check.problem} /> : null}
      {found ? (
        <TableScroller label={texts.reachableHeading}>
          <table>
            <ColumnNames names={[texts.provider, texts.status, texts.latency, texts.detail]} />
            <tbody>
              {found.map(({ name, state, detail, milliseconds }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td className={state === "broken" ? "doubt" : ""}>{states[state]}</td>
                  <td className="number">{milliseconds === null ? "–" : texts.milliseconds(milliseconds)}</td>
                  <td lang={language === "en" ? undefined : "en"}>{detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      ) : null}
    </section>
  );
}

/** Which providers have a key, and from where; a key itself is never shown. */
function KeyTable({ keys, onChange }: { readonly keys: ServerFacts["keys"]; readonly onChange: () => void }) {
  const texts = useTexts();
  const forget = useAction(
    useCallback(
      async (variable: string) => {
        await ask(api.keys[":variable"].$delete, { param: { variable } });
        onChange();
      },
      [onChange],
    ),
  );
  const origins = { environment: texts.keyEnvironment, session: texts.keySession };
  return (
    <section>
      <h2>{texts.keysHeading}</h2>
      <p>{texts.keysNote}</p>
      <TableScroller label={texts.keysHeading}>
        <table>
          <ColumnNames names={[texts.provider, texts.status, texts.detail]} />
          <tbody>
            {keys.map(({ provider, variable, origin }) => (
              <tr key={provider}>
                <th scope="row">{provider}</th>
                <td className="moment">{origin === null ? texts.keyMissing : origins[origin]}</td>
                <td>
                  {origin === "session" ? (
                    <button type="button" className="quiet" onClick={() => void forget.run(variable)}>
                      {texts.forgetKey}
                    </button>
                  ) : null}
                  {origin === "environment" ? <code>{variable}</code> : null}
                  {origin === null ? <KeyForm variable={variable} onKey={onChange} /> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {forget.problem ? <ProblemNotice problem={forget.problem} /> : null}
    </section>
  );
}
