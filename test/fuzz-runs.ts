/** How many inputs a fuzz test tries: a few in CI, thousands in the campaign. */
export function fuzzRuns(ci: number): number {
  return process.env['HEADWAY_CAMPAIGN'] === undefined ? ci : ci * 50;
}
