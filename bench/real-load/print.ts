import {
  median,
  WITHOUT_SERVICES,
  type Measured,
  type MeasuredBackup,
  type MeasuredRestore,
  type Round,
} from './measured.ts';

/** Of a backup: so many times the bare loop's time, and so much besides. */
const TIMES = 2;
const BESIDES_S = 1;
const PERCENT_WITHIN_S = 2;
/** Events come and go between a list and a backup. */
const SAME_WITHIN = 0.01;
/** How much longer an object may take in the largest cluster than in the smallest. */
const GROWTH = 1.3;

/** Says whether it is met; what is not was missed. */
type Check = (isMet: boolean, what: string) => string;

/** True when no target was missed. */
export function printMeasured(all: readonly Measured[]): boolean {
  const missed: string[] = [];
  const check: Check = (isMet, what) => {
    if (!isMet) missed.push(what);
    return isMet ? 'met' : 'MISSED';
  };
  for (const { size, objects, backups, restores, maxMb, veleroSeconds } of all) {
    const listed = backups[0]?.bare.objects;
    const found = listed === undefined ? '' : `, ${String(listed)} with what controllers made of them`;
    console.log(`\n${size}: ${String(objects)} objects${found}`);
    for (const backup of backups) console.log(backupLine(size, backup, check));
    if (backups.length === 0) console.log('  backups: not measured');
    for (const restore of restores) console.log(restoreLine(size, restore, check));
    if (restores.length === 0) console.log('  restores: not measured');
    console.log(memoryLine(size, { backups, restores, maxMb }, check));
    for (const [name, seconds] of Object.entries(veleroSeconds)) {
      console.log(`  Velero's backup, ${name}: ${seconds.toFixed(1)} s`);
    }
  }
  for (const line of growthLines(all, check)) console.log(line);
  if (missed.length > 0) console.log(`\nMissed: ${missed.join('; ')}`);
  return missed.length === 0;
}

/** Of the two servers: one makes the backups, another restores. */
function memoryLine(
  size: string,
  { backups, restores, maxMb }: Pick<Measured, 'backups' | 'restores' | 'maxMb'>,
  check: Check,
): string {
  const peakOf = (all: readonly { rounds: readonly Round[] }[]): number =>
    Math.max(0, ...all.flatMap(({ rounds }) => rounds.map(({ peakMb }) => peakMb)));
  const text = (peak: number): string => (peak === 0 ? 'not measured' : `${peak.toFixed(0)} MB`);
  const [ofBackups, ofRestores] = [peakOf(backups), peakOf(restores)];
  const isSmall = check(Math.max(ofBackups, ofRestores) <= maxMb, `${size}: memory`);
  const each = `backups ${text(ofBackups)}, restores ${text(ofRestores)}`;
  return `  peak memory: ${each} of ${String(maxMb)} MB  ${isSmall}`;
}

function backupLine(size: string, { name, rounds, bare, hasLabels }: MeasuredBackup, check: Check): string {
  const own = median(rounds.map(({ seconds }) => seconds));
  const loop = median(rounds.map(({ bareSeconds }) => bareSeconds));
  // Each against the loop before it, because the machine is not the same machine all the time.
  const part = median(rounds.map(({ seconds, bareSeconds }) => seconds / (TIMES * bareSeconds + BESIDES_S)));
  const hasAll = rounds.every(
    ({ items }) => items >= bare.least * (1 - SAME_WITHIN) && items <= bare.most * (1 + SAME_WITHIN),
  );
  check(rounds.length > 0 && hasAll, `${size}: a backup of ${name} with what is selected`);
  const cells = [
    `  backup, ${name}`.padEnd(34),
    `${String(rounds[0]?.items ?? 0)} items`.padStart(13),
    `bare ${loop.toFixed(2)} s (${String(bare.requests)} lists, ${bare.megabytes.toFixed(0)} MB)`.padStart(36),
    `Headway ${own.toFixed(2)} s`.padStart(18),
    `${(part * 100).toFixed(0)} % of 2 x + 1 s`.padStart(20),
    check(part <= 1, `${size}: backup of ${name}`).padStart(7),
    `  ${percentText(rounds)}`,
    check(hasLabels || rounds.every(isTold), `${size}: the first percent of a backup of ${name}`),
    fallsOf(size, { name: `backup, ${name}`, rounds }, check),
  ];
  return cells.join(' ');
}

/** With labels no server says how many there are; whoever is done within the time needs no percent before. */
function isTold({ percents: { firstSeconds, unknowns }, seconds }: Round): boolean {
  return unknowns === 0 && (firstSeconds ?? seconds) <= PERCENT_WITHIN_S;
}

function percentText(rounds: readonly Round[]): string {
  const last = (times: readonly (number | undefined)[]): string => {
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? 'none before the end' : `after ${Math.max(...known).toFixed(1)} s`;
  };
  const first = last(rounds.map(({ percents }) => percents.firstSeconds));
  return `first percent ${first}, above zero ${last(rounds.map(({ percents }) => percents.firstAboveSeconds))}`;
}

function restoreLine(size: string, { name, rounds, bare, isNew, wanted }: MeasuredRestore, check: Check): string {
  const own = median(rounds.map(({ seconds }) => seconds));
  const loop = median(rounds.map(({ bareSeconds }) => bareSeconds));
  const speed = median(rounds.map(({ seconds, bareSeconds }) => bareSeconds / seconds));
  // The loop has created each of them, or has heard that it is there.
  const other = isNew ? 'POST 409' : 'POST 201';
  const posts = bare[isNew ? 'POST 201' : 'POST 409'];
  const isSame =
    bare[other] === undefined &&
    rounds.every(({ items, created }) => items === posts && created === (isNew ? items : 0));
  check(rounds.length > 0 && isSame, `${size}: a restore ${name} of what the loop has`);
  const cells = [
    `  restore, ${name}`.padEnd(48),
    `${String(rounds[0]?.items ?? 0)} items`.padStart(13),
    `bare ${loop.toFixed(2)} s (${requestsOf(bare)})`.padStart(48),
    `Headway ${own.toFixed(2)} s`.padStart(18),
    `${(speed * 100).toFixed(0)} %${wanted === undefined ? '' : ` of ${(wanted * 100).toFixed(0)} %`}`.padStart(18),
    (wanted === undefined ? '' : check(speed >= wanted, `${size}: restore ${name}`)).padStart(7),
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
  if (smallest === undefined || largest === undefined || smallest === largest) return ['  growth: not measured'];
  const line = (what: string, roundsOf: (of: Measured) => readonly Round[] | undefined, isJudged = true): string => {
    const growthOf = (seconds: (round: Round) => number): number => {
      const each = (of: Measured): number => median((roundsOf(of) ?? []).map((round) => seconds(round) / round.items));
      return each(largest) / each(smallest);
    };
    const own = growthOf(({ seconds }) => seconds);
    if (Number.isNaN(own)) return `  growth of ${what}: not measured`;
    const bare = growthOf(({ bareSeconds }) => bareSeconds).toFixed(2);
    const verdict = isJudged ? `of ${String(GROWTH)} x  ${check(own <= GROWTH, `growth of ${what}`)}` : 'not judged';
    const from = `${smallest.size} to ${largest.size}`;
    return `  time of an object in ${what}, ${from}: ${own.toFixed(2)} x ${verdict}, the bare loop's ${bare} x`;
  };
  const restoresOf =
    (wanted: (name: string) => boolean) =>
    ({ restores }: Measured): readonly Round[] | undefined =>
      restores.find(({ name }) => wanted(name))?.rounds;
  return [
    line('backups', ({ backups }) => backups[0]?.rounds),
    line(
      `restores ${WITHOUT_SERVICES}`,
      restoresOf((name) => name === WITHOUT_SERVICES),
    ),
    // Whoever creates services waits for a server that goes through all addresses for each of them.
    line(
      'restores into new namespaces, with services',
      restoresOf((name) => name !== WITHOUT_SERVICES),
      false,
    ),
  ];
}
