import { adaptersOf } from '../../../src/core/operations/adapters.ts';
import type { Noun, Operation } from '../../../src/core/operations/index.ts';
import { byText, type Column } from '../show/data-table.tsx';
import { NameCell } from '../show/operation-name.tsx';
import { measuresText, NOTHING, percentText, tookText } from '../show/progress-text.ts';
import { standingOf, StandingCell } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { purposeText, shortPurpose } from './purpose.ts';
import { nowText } from './running-row.tsx';

const NAME: Column<Operation> = {
  key: 'name',
  title: 'Name',
  width: 'minmax(9rem, 1.2fr)',
  cell: (operation) => <NameCell operation={operation} />,
  compare: (a, b) => byText(a.ref.name, b.ref.name),
};

const PURPOSE: Column<Operation> = {
  key: 'purpose',
  title: 'What',
  width: 'minmax(12rem, 2.1fr)',
  cell: (operation) => <span title={purposeText(operation)}>{shortPurpose(operation) ?? NOTHING}</span>,
};

const DONE: Column<Operation> = {
  key: 'items',
  title: 'Done',
  width: '12.5rem',
  isNumber: true,
  cell: ({ report }) => measuresText(report),
};

const STATE: Column<Operation> = {
  key: 'state',
  title: 'State',
  width: '10rem',
  cell: (operation) => <StandingCell operation={operation} />,
  compare: (a, b) => byText(standingOf(a), standingOf(b)),
  onPhone: true,
};

const REST: readonly Column<Operation>[] = [
  {
    key: 'result',
    title: 'Details',
    width: 'minmax(8rem, 1fr)',
    cell: (operation) => <span title={nowText(operation)}>{nowText(operation)}</span>,
  },
  {
    key: 'took',
    title: 'Took',
    width: '4.5rem',
    isNumber: true,
    cell: ({ seconds }) => (seconds === undefined ? NOTHING : tookText(seconds)),
    compare: (a, b) => (a.seconds ?? -1) - (b.seconds ?? -1),
  },
  {
    key: 'age',
    title: 'Created',
    width: '6rem',
    isNumber: true,
    cell: ({ createdAt }) => <When time={createdAt} />,
    compare: (a, b) => byText(b.createdAt, a.createdAt),
    onPhone: true,
  },
];

const PERCENT: Column<Operation> = {
  key: 'percent',
  title: '%',
  width: '3.2rem',
  isNumber: true,
  cell: ({ report }) => percentText(report) ?? NOTHING,
  onPhone: true,
};

const COUNTED = [NAME, STATE, PERCENT, DONE, ...REST];
/** Where what it is for says more than how many phases are behind it. */
const PURPOSEFUL = [NAME, PURPOSE, { ...STATE, width: '7.5rem' }, PERCENT, ...REST];

/** Kinds with steps of their own tell those instead of counts. */
export function columnsOf(noun: Noun | undefined): readonly Column<Operation>[] {
  const hasSteps = noun !== undefined && adaptersOf(noun).some((adapter) => adapter.steps !== undefined);
  return hasSteps ? PURPOSEFUL : COUNTED;
}
