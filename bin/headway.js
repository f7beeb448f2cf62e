import { start } from './start.js';

// One is started for every volume, and its one argument needs no command line to be parsed.
const [, , command, file, ...rest] = process.argv;
const isMover = command === 'mover' && file !== undefined && !file.startsWith('-') && rest.length === 0;
// What runs for days runs as a bundle, which takes less memory.
const isLong = command === 'server' || command === 'up';
await start('headway', isMover ? '../src/main/mover.ts' : '../src/main/headway.ts', { isLong });
