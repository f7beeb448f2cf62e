import { createTheme, Modal, Tooltip } from '@mantine/core';

/** Colours and fonts are in theme.css; here is only what Mantine takes as properties. */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Locking the scroll would inject a style element.
    Modal: Modal.extend({
      defaultProps: {
        lockScroll: false,
        centered: true,
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
    Tooltip: Tooltip.extend({ defaultProps: { transitionProps: { duration: 0 }, openDelay: 200, withArrow: true } }),
  },
});
