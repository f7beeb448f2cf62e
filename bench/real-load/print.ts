import { median, type Measured, type MeasuredBackup, type MeasuredRestore, type Round } from './measured.ts';

/** Of a backup: so many times the bare loop's time, and so much besides. */
const TIMES = 2;
const BESIDES_S = 1;
const PERCENT_WITHIN_S = 2;
/** Events come and go between a list and a backup. */
const SAME_WITHIN = 0.01;
/** How much longer an object may take in the largest cluster than in the smallest. */
const GROWTH = 1.3;

/** True when no target was missed. */
export function printMeasured(all: readonly Measured[]): boolean {
  const missed: string[] = [];
  const check = (isMet: boolean, what: string): string => {
    if (!isMet) missed.push(what);
    return isMet ? 'met' : 'MISSED';
  };
  for (const { size, objects, backups, restores, peakMb, maxMb, veleroSeconds } of all) {
    const listed = backups[0]?.bare.objects;
    const found = listed === undefined ? '' : `, ${String(listed)} with what controllers made of them`;
    console.log(`\n${size}: ${String(objects)} objects${found}`);
    for (const backup of backups) console.log(backupLine(size, backup, check));
    for (const restore of restores) console.log(restoreLine(size, restore, check));
    const isSmall = check(peakMb <= maxMb, `${size}: memory`);
    console.log(`  peak memory ${peakMb.toFixed(0)} MB of ${String(maxMb)} MB  ${isSmall}`);
    if (veleroSeconds !== undefined) console.log(`  Velero's backup of all: ${veleroSeconds.toFixed(1)} s`);
  }
  for (const line of growthLines(all, check)) console.log(line);
  if (missed.length > 0) console.log(`\nMissed: ${missed.join('; ')}`);
  return missed.length === 0;
}

type Check = (isMet: boolean, what: string) => string;

function backupLine(size: string, { name, rounds, bare, hasLabels, isWhole }: MeasuredBackup, check: Check): string {
  const own = median(rounds.map(({ seconds }) => seconds));
  const loop = median(rounds.map(({ bareSeconds }) => bareSeconds));
  // Each against the loop before it, because the machine is not the same machine all the time.
  const part = median(rounds.map(({ seconds, bareSeconds }) => seconds / (TIMES * bareSeconds + BESIDES_S)));
  const percent = Math.max(...rounds.map(({ percents }) => percents.firstSeconds ?? Infinity));
  const unknowns = rounds.some(({ percents }) => percents.unknowns > 0);
  // With labels no server says how many there are.
  const isTold = hasLabels || (percent <= PERCENT_WITHIN_S && !unknowns);
  const what = `${size}: the first percent of a backup of ${name}`;
  if (isWhole) check(isAbout(rounds[0]?.items, bare.objects), `${size}: a backup of ${name} with all objects`);
  const cells = [
    `  backup, ${name}`.padEnd(34),
    `${String(rounds[0]?.items ?? 0)} items`.padStart(13),
    `bare ${loop.toFixed(2)} s (${String(bare.requests)} lists, ${bare.megabytes.toFixed(0)} MB)`.padStart(36),
    `Headway ${own.toFixed(2)} s`.padStart(18),
    `${(part * 100).toFixed(0)} % of 2 x + 1 s`.padStart(20),
    check(part <= 1, `${size}: backup of ${name}`).padStart(7),
    `  first percent after ${percent.toFixed(1)} s ${check(isTold, what)}`,
    fallsOf(size, { name: `backup, ${name}`, rounds }, check),
  ];
  return cells.join(' ');
}

function isAbout(items = 0, expected: number): boolean {
  return Math.abs(items - expected) <= expected * SAME_WITHIN;
}

function restoreLine(size: string, { name, rounds, bare, wanted }: MeasuredRestore, check: Check): string {
  const own = median(rounds.map(({ seconds }) => seconds));
  const loop = median(rounds.map(({ bareSeconds }) => bareSeconds));
  const speed = median(rounds.map(({ seconds, bareSeconds }) => bareSeconds / seconds));
  // Each item is asked for at least once, and created by one request.
  const isSame = rounds.every(({ items }) => isAbout(items, bare.POST ?? 0));
  check(isSame, `${size}: a restore ${name} of as many items as the loop has`);
  const cells = [
    `  restore, ${name}`.padEnd(48),
    `${String(rounds[0]?.items ?? 0)} items`.padStart(13),
    `bare ${loop.toFixed(2)} s (${requestsOf(bare)})`.padStart(48),
    `Headway ${own.toFixed(2)} s`.padStart(18),
    `${(speed * 100).toFixed(0)} % of ${(wanted * 100).toFixed(0)} %`.padStart(18),
    check(speed >= wanted, `${size}: restore ${name}`).padStart(7),
    fallsOf(size, { name: `restore ${name}`, rounds }, check),
  ];
  return cells.join(' ');
}

function requestsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([method, count]) => `${String(count)} ${method}`)
    .join(', ');
}

/** Empty, as long as no percent has fallen. */
function fallsOf(size: string, { name, rounds }: Pick<MeasuredRestore, 'name' | 'rounds'>, check: Check): string {
  const falls = rounds.reduce((sum, { percents }) => sum + percents.falls, 0);
  check(falls === 0, `${size}: a percent that fell, ${name}`);
  return falls === 0 ? '' : `the percent fell ${String(falls)} times`;
}

function growthLines(all: readonly Measured[], check: Check): string[] {
  const [smallest, largest] = [all[0], all.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return [];
  return (['backups', 'restores'] as const).flatMap((what) => {
    const growthOf = (seconds: (round: Round) => number): number => {
      const each = ({ [what]: [first] }: Measured): number =>
        median((first?.rounds ?? []).map((round) => seconds(round) / round.items));
      return each(largest) / each(smallest);
    };
    const own = growthOf(({ seconds }) => seconds);
    if (Number.isNaN(own)) return [];
    // What the server itself takes longer is in every loop, and nobody can restore faster than it creates.
    const bare = growthOf(({ bareSeconds }) => bareSeconds);
    const isServers = own > GROWTH && own <= bare;
    const verdict = isServers ? 'MORE, but not than the loop' : check(own <= GROWTH, `growth of ${what}`);
    const cells = [
      `  time of an object in ${what}, ${smallest.size} to ${largest.size}: ${own.toFixed(2)} x`,
      `of ${String(GROWTH)} x, the bare loop's ${bare.toFixed(2)} x`,
    ];
    return [`${cells.join(' ')}  ${verdict}`];
  });
}
