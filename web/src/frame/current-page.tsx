import { Component, type ReactElement, type ReactNode } from 'react';
import { toAppError, type AppError } from '../../../src/base/index.ts';
import { BackupPage } from '../backups/backup-page.tsx';
import { BackupsPage } from '../backups/backups-page.tsx';
import { BlueprintPage } from '../blueprints/blueprint-page.tsx';
import { BlueprintsPage } from '../blueprints/blueprints-page.tsx';
import { LocationsPage } from '../locations/locations-page.tsx';
import { OperationPage } from '../operation/operation-page.tsx';
import { PartsPage } from '../operation/parts-page.tsx';
import { OperationsPage } from '../overview/operations-page.tsx';
import { OverviewPage } from '../overview/overview-page.tsx';
import { RestoreWizard } from '../restore-wizard/restore-wizard.tsx';
import { SchedulesPage } from '../schedules/schedules-page.tsx';
import { ErrorNotice, Notice } from '../show/notice.tsx';
import { hrefOf, usePlace } from './place.ts';

/** The page that the address names. */
export function CurrentPage(): ReactElement {
  const { path, query } = usePlace();
  const [first = '', id] = path;
  return (
    // A new place gets a fresh page, also after one that broke.
    <Guard key={`${first}/${id ?? ''}`}>
      <Page first={first} id={id} parent={query['parent']} />
    </Guard>
  );
}

interface Named {
  first: string;
  id: string | undefined;
  parent: string | undefined;
}

/** Pages of one thing each, by the first part of the address. */
const ONE: Readonly<Record<string, (id: string) => ReactElement>> = {
  operations: (id) => <OperationPage id={id} />,
  backups: (id) => <BackupPage id={id} />,
  blueprints: (id) => <BlueprintPage id={id} />,
  restore: (id) => <RestoreWizard id={id} />,
};

const LISTS: Readonly<Record<string, () => ReactElement>> = {
  '': () => <OverviewPage />,
  operations: () => <OperationsPage title="Operations" />,
  backups: () => <BackupsPage />,
  restores: () => <OperationsPage title="Restores" noun="restore" />,
  actions: () => <OperationsPage title="Actions" noun="action" />,
  blueprints: () => <BlueprintsPage />,
  migrations: () => <OperationsPage title="Migrations" noun="migration" />,
  schedules: () => <SchedulesPage />,
  locations: () => <LocationsPage />,
};

function Page({ first, id, parent }: Named): ReactElement {
  if (first === 'operations' && id === undefined && parent !== undefined) return <PartsPage id={parent} />;
  const page = id === undefined ? own(LISTS, first)?.() : own(ONE, first)?.(id);
  return page ?? <NoPage />;
}

/** Anybody may write anything into an address. */
function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function NoPage(): ReactElement {
  return (
    <Notice title="There is no such page">
      <p>
        The address may be from another version. Start from the <a href={hrefOf([])}>overview</a>.
      </p>
    </Notice>
  );
}

/** A bug in one page must not take the frame and the light with it. */
class Guard extends Component<{ children: ReactNode }, { error?: AppError }> {
  override state: { error?: AppError } = {};

  static getDerivedStateFromError(error: unknown): { error: AppError } {
    return { error: toAppError(error) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <ErrorNotice
        error={error}
        again={() => {
          this.setState({});
          window.location.reload();
        }}
      />
    );
  }
}
