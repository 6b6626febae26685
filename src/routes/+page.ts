// The shell that every deep link is answered with, also offline.
export const prerender = true;
