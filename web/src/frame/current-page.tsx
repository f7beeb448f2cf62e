import { Component, type ReactElement, type ReactNode } from 'react';
import { toAppError, type AppError } from '../../../src/base/index.ts';
import { BackupPage } from '../backups/backup-page.tsx';
import { BackupsPage } from '../backups/backups-page.tsx';
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

function Page({ first, id, parent }: Named): ReactElement {
  if (id === undefined) {
    switch (first) {
      case '':
        return <OverviewPage />;
      case 'operations':
        return parent === undefined ? <OperationsPage title="Operations" /> : <PartsPage id={parent} />;
      case 'backups':
        return <BackupsPage />;
      case 'restores':
        return <OperationsPage title="Restores" noun="restore" />;
      case 'actions':
        return <OperationsPage title="Actions" noun="action" />;
      case 'migrations':
        return <OperationsPage title="Migrations" noun="migration" />;
      case 'schedules':
        return <SchedulesPage />;
      case 'locations':
        return <LocationsPage />;
    }
  } else {
    if (first === 'operations') return <OperationPage id={id} />;
    if (first === 'backups') return <BackupPage id={id} />;
    if (first === 'restore') return <RestoreWizard id={id} />;
  }
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
