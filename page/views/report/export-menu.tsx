import { useTexts } from "../../texts/preferences.tsx";

const formats = [
  ["html", "HTML"],
  ["pdf", "PDF"],
  ["markdown", "Markdown"],
  ["json", "JSON"],
] as const;

export function ExportMenu({ path }: { readonly path: string }) {
  const texts = useTexts();
  return (
    <section className="export" aria-label={texts.exportAs}>
      <span className="muted">{texts.exportAs}</span>
      {formats.map(([format, name]) => (
        <a key={format} href={`${path}/export?format=${format}`} download title={texts.exportHint}>
          {name}
        </a>
      ))}
    </section>
  );
}
