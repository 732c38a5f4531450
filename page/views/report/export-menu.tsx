import { saveFile } from "../../api/save-file.ts";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const formats = [
  ["html", "HTML"],
  ["pdf", "PDF"],
  ["markdown", "Markdown"],
  ["json", "JSON"],
  ["docx", "DOCX"],
] as const;

export function ExportMenu({ path }: { readonly path: string }) {
  const texts = useTexts();
  const saving = useAction(saveFile);
  return (
    <section className="export" aria-label={texts.exportAs} aria-busy={saving.isBusy}>
      <span className="muted">{texts.exportAs}</span>
      {formats.map(([format, name]) => {
        const address = `${path}/export?format=${format}`;
        return (
          <a
            key={format}
            href={address}
            download
            title={format === "docx" ? texts.exportDocxHint : texts.exportHint}
            onClick={(event) => {
              event.preventDefault();
              void saving.run(address);
            }}
          >
            {name}
          </a>
        );
      })}
      {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
    </section>
  );
}
