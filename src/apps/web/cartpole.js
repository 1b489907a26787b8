// Plays the episodes of the page next to each other, in real time.
'use strict';
(function () {
  const films = JSON.parse(document.getElementById('films').textContent);
  const place = document.getElementById('animation');
  const length = Math.max.apply(null, films.map(function (film) { return film.x.length; }));
  const button = document.createElement('button');
  const slider = Object.assign(document.createElement('input'), {type: 'range', min: 0, max: length - 1, value: 0});
  slider.setAttribute('aria-label', 'step of the episode');
  const canvases = films.map(function (film) {
    const figure = document.createElement('figure');
    const canvas = Object.assign(document.createElement('canvas'), {width: 920, height: 560});
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'animation: ' + film.label);
    const caption = document.createElement('figcaption');
    figure.append(canvas, caption);
    place.append(figure);
    return {canvas: canvas, caption: caption, film: film};
  });
  const controls = document.createElement('div');
  controls.className = 'controls';
  controls.append(button, slider);
  place.after(controls);

  function draw(view, step) {
    const film = view.film, at = Math.min(step, film.x.length - 1), pen = view.canvas.getContext('2d');
    const metre = 200, rail = 330, middle = view.canvas.width / 2;
    const cart = middle + metre * film.x[at];
    const pays = at > 0 && film.paid[at] - film.paid[at - 1] > 0.5;
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, view.canvas.width, view.canvas.height);
    pen.strokeStyle = '#9aa0a6';
    pen.lineWidth = 3;
    pen.beginPath();
    pen.moveTo(middle - 1.8 * metre, rail);
    pen.lineTo(middle + 1.8 * metre, rail);
    pen.stroke();
    pen.fillStyle = '#444444';
    pen.fillRect(cart - 50, rail - 22, 100, 44);
    pen.strokeStyle = pays ? '#0072B2' : '#D55E00';
    pen.lineWidth = 16;
    pen.lineCap = 'round';
    pen.beginPath();
    pen.moveTo(cart, rail);
    pen.lineTo(cart + metre * Math.sin(film.angle[at]), rail - metre * Math.cos(film.angle[at]));
    pen.stroke();
    view.caption.textContent = film.label + ': ' + (film.seconds * at).toFixed(1) + ' s, reward so far ' +
        film.paid[at].toFixed(0);
  }

  let step = 0, playing = !matchMedia('(prefers-reduced-motion: reduce)').matches, before = 0;
  function show() {
    slider.value = step;
    button.textContent = playing ? 'Pause' : 'Play';
    canvases.forEach(function (view) { draw(view, Math.floor(step)); });
  }
  function tick(now) {
    if (playing) {
      step += Math.min(now - before, 100) / 1000 / films[0].seconds;
      if (step >= length) step = 0;
      show();
    }
    before = now;
    requestAnimationFrame(tick);
  }
  button.addEventListener('click', function () { playing = !playing; show(); });
  slider.addEventListener('input', function () { playing = false; step = Number(slider.value); show(); });
  show();
  requestAnimationFrame(tick);
})();
