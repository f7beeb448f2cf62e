/** Loaded into a server by a test: the event loop stands still from SIGUSR2 on. */
process.on('SIGUSR2', function standStill() {
  for (;;);
});
