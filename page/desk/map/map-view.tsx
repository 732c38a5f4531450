import { api } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { BookTabs } from "../book-tabs.tsx";
import { MapTab } from "./map-tab.tsx";

/** The map of a book that was not judged, or cannot be offline: counting needs no judge. */
export default function MapView({ route }: ViewProps) {
  const texts = useTexts();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.books[":id"], { param: { id } });
  return (
    <View
      title={asked.answer?.title ?? texts.tabMap}
      kicker={<a href={to(["library"])}>{texts.library}</a>}
      className="narrow"
    >
      <BookTabs book={{ id }} current="map" />
      <Waiting asked={asked}>{({ title }) => <MapTab bookId={id} title={title} report={null} />}</Waiting>
    </View>
  );
}
