/**
 * Reader bias plus item forecast: what readers in general are expected to give the story, shifted by how far this reader's
 * earlier ratings were from such forecasts, shrunk towards zero when the history is short.
 */
export function biasPlusForecast(
  forecast: number,
  history: readonly { readonly rating: number; readonly expected: number }[],
  shrinkage: number,
): number {
  const bias = history.reduce((sum, { rating, expected }) => sum + rating - expected, 0);
  return forecast + bias / (history.length + shrinkage);
}
