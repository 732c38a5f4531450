import { useState } from "react";
import { useTexts } from "../../../texts/preferences.tsx";

/** A command to run elsewhere, with a button that copies it where the browser allows that. */
export function CommandLine({ command }: { readonly command: string }) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  // Browsers offer it on this machine and over TLS only.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  return (
    <div className="command-to-copy">
      <pre className="command-line">{command}</pre>
      {clipboard ? (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            void clipboard.writeText(command).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          {isCopied ? texts.copied : texts.copyCommand}
        </button>
      ) : null}
    </div>
  );
}
