// Films: a picture of frames in rows becomes a player. Tables and code that are wider than the page can be scrolled by keys.
'use strict';
(function () {
  document.querySelectorAll('.film').forEach(function (film) {
    const image = film.querySelector('img');
    const frames = Number(film.dataset.frames), columns = Number(film.dataset.columns);
    const rows = Math.ceil(frames / columns);
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', image.alt);
    const play = document.createElement('button');
    play.type = 'button';
    const slider = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: frames - 1, value: 0, ariaLabel: 'frame of the film' });
    let timer = null;

    function draw() {
      const w = image.naturalWidth / columns, h = image.naturalHeight / rows, i = Number(slider.value);
      const scale = Math.max(1, 640 / w);
      canvas.width = Math.round(w * scale);
      canvas.height = Math.round(h * scale);
      canvas.getContext('2d').drawImage(image, (i % columns) * w, Math.floor(i / columns) * h, w, h, 0, 0, canvas.width, canvas.height);
    }
    function step() {
      slider.value = (Number(slider.value) + 1) % frames;
      draw();
    }
    function run(on) {
      clearInterval(timer);
      timer = on ? setInterval(step, Number(film.dataset.milliseconds || 400)) : null;
      play.textContent = on ? 'Pause' : 'Play';
    }
    play.addEventListener('click', function () { run(timer === null); });
    slider.addEventListener('input', function () { run(false); draw(); });
    function start() {
      image.style.display = 'none';
      film.prepend(canvas);
      const bar = document.createElement('div');
      bar.append(play, ' ', slider);
      canvas.after(bar);
      draw();
      run(!matchMedia('(prefers-reduced-motion: reduce)').matches);
    }
    if (image.complete && image.naturalWidth) start(); else image.addEventListener('load', start);
  });
  function keys() {
    document.querySelectorAll('.md-typeset__scrollwrap, .md-typeset__table, .md-typeset pre > code').forEach(function (part) {
      if (part.scrollWidth > part.clientWidth + 1) part.tabIndex = 0; else part.removeAttribute('tabindex');
    });
  }
  keys();
  window.addEventListener('load', keys);
  window.addEventListener('resize', keys);
  document.querySelectorAll('details').forEach(function (part) { part.addEventListener('toggle', keys); });
  const search = document.querySelector('.md-search');
  if (search) search.setAttribute('aria-label', 'Search');
})();
