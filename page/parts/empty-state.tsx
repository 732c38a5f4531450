import { to } from "../routing.ts";
import { useTexts } from "../texts/preferences.tsx";

/** A view without evaluations to show: what it is for, and the way to the first one. */
export function EmptyState({ title, hint }: { readonly title: string; readonly hint: string }) {
  const texts = useTexts();
  return (
    <div className="empty-state">
      <strong>{title}</strong>
      <p>{hint}</p>
      <p>
        <a className="button primary" href={to(["evaluate"])}>
          {texts.evaluate}
        </a>
      </p>
    </div>
  );
}
