import { start } from './start.js';

await start('headway', '../src/main/headway.ts');
