/** Takes the password of a database and the access token out of the list of processes, which every user of a machine can read. */
export function hideSecrets(process: NodeJS.Process): void {
  const words = process.argv.slice(2);
  const hidden = words.map((word, at) => {
    if (words[at - 1] === "--token") return "***";
    return word.replace(/^--token=.*/s, "--token=***").replace(/(:\/\/[^\s:@/]*):[^\s/]*@/g, "$1:***@");
  });
  if (hidden.some((word, at) => word !== words[at])) process.title = ["fabula", ...hidden].join(" ");
}
