import { start } from './start.js';

// One is started for every volume, and its one argument needs no command line to be parsed.
const [, , command, file, ...rest] = process.argv;
const isMover = command === 'mover' && file !== undefined && !file.startsWith('-') && rest.length === 0;
await start('headway', isMover ? '../src/main/mover/main.ts' : '../src/main/headway.ts');
