// Everything a page shows is on the person's device: there is nothing for a server to render.
export const ssr = false;
