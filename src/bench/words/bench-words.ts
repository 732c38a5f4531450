/** What the benchmark says about its figures, in each language of a corpus. Figures come as text, rounded by the caller. */
export interface BenchWords {
  readonly method: {
    paired(pairs: number): string;
    unpaired(pairs: number, leastNovels: number): string;
    promise(significance: number, percent: number): string;
  };
  power(
    deviation: string,
    pairs: number,
    needs: readonly { readonly difference: number; readonly novels: number }[],
  ): string;
  readonly warnings: {
    ceiling(writers: readonly string[]): string;
    length(spearman: string): string;
    ownFamily(judge: string, writers: number, family: string): string;
    anchorsLow(median: string, bulk: number): string;
    anchorsInPopulation(novels: readonly string[]): string;
    chapterCoverage(writers: readonly { readonly writer: string; readonly percent: string }[]): string;
    unplacedNovels(novels: number, isPanel: boolean): string;
    unplacedWriters(writers: readonly string[]): string;
    weakComponent(percent: string): string;
    constant(dimensions: readonly string[]): string;
    against(dimensions: readonly string[]): string;
    cancelled: string;
    seldomScored(dimension: string): string;
    languages(counts: readonly (readonly [string, number])[]): string;
  };
  rates(
    writer: string,
    counts: {
      readonly asked: number;
      readonly cutOff: number;
      readonly refused: number;
      readonly unwritten: number;
      readonly offLength: number;
    },
  ): string | null;
}
