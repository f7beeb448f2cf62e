import type { ReactElement } from 'react';

const PATHS = {
  overview: 'M3 12l9-8 9 8M5.5 10v9h13v-9',
  backups:
    'M4 7c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zM4 7v10c0 1.7 3.6 3 8 3s8-1.3 8-3V7M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  restores: 'M4 12a8 8 0 108-8H7M10 1L7 4l3 3',
  schedules: 'M12 7v5l3 3M12 3a9 9 0 100 18 9 9 0 000-18z',
  locations: 'M4 5h16v5H4zM4 14h16v5H4zM8 7.5h.01M8 16.5h.01',
  actions: 'M13 3L5 14h6l-1 7 8-11h-6z',
  blueprints: 'M6 3h9l4 4v14H6zM14 3v5h5M9.5 12h6M9.5 16h6',
  migrations: 'M3 8h15M14 4l4 4-4 4M21 16H6M10 12l-4 4 4 4',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  search: 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20 20',
  sun: 'M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  leave: 'M14 4h5v16h-5M4 12h10M8 8l-4 4 4 4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor">
      <path d={PATHS[name]} strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
