import type { ServerFacts } from "../../../src/api/settings.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Facts } from "../../parts/facts.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";
import { Appearance } from "./appearance.tsx";
import { KeyTable } from "./key-table.tsx";
import { ReachableTable } from "./reachable-table.tsx";

/** Judges and keys, where things are kept, what they cost, and what can be reached. */
export default function SettingsView() {
  const texts = useTexts();
  const asked = useAnswer<ServerFacts>("/api/settings");
  return (
    <View title={texts.settings}>
      <p>{texts.settingsIntroduction}</p>
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
  const texts = useTexts();
  return (
    <section>
      <h2>{texts.pricesHeading}</h2>
      <p>
        {texts.pricesNote(date, models.length)}
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
                  <td className="number">{context === null ? texts.unknown : context.toLocaleString("en-GB")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      </details>
    </section>
  );
}
