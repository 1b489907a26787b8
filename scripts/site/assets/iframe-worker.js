// Browsers start no worker from file://. There the search runs in a hidden frame, with the interface of a worker.
if (location.protocol === 'file:') {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      this.frame = document.createElement('iframe');
      this.frame.hidden = true;
      this.frame.title = 'search';
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => setTimeout(() => {
        const event = new MessageEvent('message', { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      });
      const script = inside.document.createElement('script');
      script.src = new URL(address, location.href).href;
      script.onload = () => { const all = this.waiting; this.waiting = null; all.forEach((data) => this.postMessage(data)); };
      inside.document.body.append(script);
    }
    postMessage(data) {
      if (this.waiting) { this.waiting.push(data); return; }
      const inside = this.frame.contentWindow;
      setTimeout(() => inside.dispatchEvent(new inside.MessageEvent('message', { data })));
    }
    terminate() { this.frame.remove(); }
  };
}
