/**
 * The small words that carry grammar rather than matter. They keep their identity in the shape of a sentence, where
 * every other word is reduced to its ending; their share also tells English from other languages.
 */
export const FUNCTION_WORDS: readonly string[] = `
a an the this that these those
i you he she it we they me him her us them my your his its our their mine yours hers ours theirs
myself yourself himself herself itself themselves who whom whose which what where when why how
and or but nor so yet for if because as until while though than
of at by with about against between into through during before after above below to from up down in out on off over
under back away around across toward towards behind beyond beneath without within upon among along onto
again then once here there all any both each few more most other some such no not only own same too very just now
still even never always almost perhaps maybe like one two
something nothing someone everything anything
is am are was were be been being have has had having do does did doing
can will would could might must shall may should
don't didn't wasn't couldn't wouldn't isn't won't can't hadn't i'm it's that's he'd she'd they'd i'd you're there's
`
  .trim()
  .split(/\s+/);
