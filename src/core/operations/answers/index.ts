/** The server's answers, for all its clients: the page, the command line and other programs. */
export type * from './error.ts';
export type * from './session.ts';
export type * from './operations.ts';
export type * from './contents.ts';
export type * from './plan.ts';
export type * from './schedules-and-locations.ts';
export type * from './blueprints.ts';
