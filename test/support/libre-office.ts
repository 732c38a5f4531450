import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Debian's package without windows (-nogui) leaves this out, and LibreOffice crashes on the first comment that it shows. */
const COMMENT_WINDOW = "/usr/lib/libreoffice/share/config/soffice.cfg/modules/swriter/ui/annotation.ui";

/** Whether comments can be resolved in LibreOffice here. */
export const hasLibreOffice = () => existsSync(COMMENT_WINDOW);

/** Opens a Word file, resolves the comments in which these words stand, and saves it as Word. */
const macro = (source: string, target: string, words: string) => `
Sub Main
  Dim options()
  document = StarDesktop.loadComponentFromURL("${source}", "_blank", 0, options())
  fields = document.TextFields.createEnumeration()
  Do While fields.hasMoreElements()
    field = fields.nextElement()
    If field.supportsService("com.sun.star.text.TextField.Annotation") Then
      If InStr(field.Content, "${words}") > 0 Then field.Resolved = True
    End If
  Loop
  Dim kind(0) As New com.sun.star.beans.PropertyValue
  kind(0).Name = "FilterName"
  kind(0).Value = "MS Word 2007 XML"
  document.storeToURL("${target}", kind())
  document.close(True)
End Sub
`;

const doctype = (root: string, file: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${root} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "${file}">\n`;
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** What LibreOffice saves after the comments with these words were resolved in it. */
export async function resolvedInOffice(bytes: Uint8Array, words: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "fabula-office-"));
  try {
    const [source, target] = [join(folder, "manuscript.docx"), join(folder, "edited.docx")];
    const library = join(folder, "profile", "user", "basic", "Standard");
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`;
    const office = (...words: readonly string[]) =>
      spawnSync("soffice", [profile, "--headless", "--norestore", ...words], { encoding: "utf8", timeout: 240_000 });
    // The first start lays out the profile over whatever stands there.
    office("--terminate_after_init");
    await mkdir(library, { recursive: true });
    await writeFile(
      join(library, "Comments.xba"),
      `${doctype("script:module", "module.dtd")}<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Comments" script:language="StarBasic">${escaped(macro(pathToFileURL(source).href, pathToFileURL(target).href, words))}</script:module>`,
    );
    await writeFile(
      join(library, "script.xlb"),
      `${doctype("library:library", "library.dtd")}<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Comments"/></library:library>`,
    );
    await writeFile(
      join(library, "..", "script.xlc"),
      `${doctype("library:libraries", "libraries.dtd")}<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" xlink:href="$(USER)/basic/Standard/script.xlb/" xlink:type="simple" library:link="false"/></library:libraries>`,
    );
    await writeFile(source, bytes);
    const { status, stderr } = office("macro:///Standard.Comments.Main");
    try {
      return await readFile(target);
    } catch (cause) {
      throw new Error(`LibreOffice saved nothing (${status}): ${stderr}`, { cause });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
